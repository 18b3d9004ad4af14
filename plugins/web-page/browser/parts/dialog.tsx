import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
  readonly className?: string;
}

/** A dialog of the browser: it keeps the focus, Escape closes it, and the focus returns to where it was. */
export function Dialog({ title, onClose, children, className = '' }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = element.current!;
    if (!dialog.open) dialog.showModal();
    return () => dialog.close();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does the same as a click beside the dialog.
    <dialog
      ref={element}
      class={className}
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === element.current) onClose();
      }}
    >
      {children}
    </dialog>
  );
}

/** At the right of a dialog's title. */
export function CloseButton({ onClose }: { readonly onClose: () => void }) {
  return (
    <button type="button" class="close" aria-label="Close" onClick={onClose}>
      ×
    </button>
  );
}

/** Asks before something is done, and says what it will do. */
export function Confirm({
  title,
  children,
  doIt,
  onDone,
  onClose,
}: {
  readonly title: string;
  readonly children: ComponentChildren;
  /** What the button says. */
  readonly doIt: string;
  readonly onDone: () => void;
  readonly onClose: () => void;
}) {
  return (
    <Dialog title={title} onClose={onClose}>
      <h2>{title}</h2>
      {children}
      <div class="buttons">
        <button type="button" onClick={onClose}>
          Cancel
        </button>
        <button
          type="button"
          class="primary"
          onClick={() => {
            onClose();
            onDone();
          }}
        >
          {doIt}
        </button>
      </div>
    </Dialog>
  );
}
