import type { Category, IndexType, Severity } from '../../src/definitions/index.ts';

/** Definitions that a program proposes, before they are written as files. Ids are unique within their kind. */
export interface DraftSet {
  readonly objects: readonly DraftObject[];
  readonly enums: readonly DraftEnum[];
  readonly notifications?: readonly DraftNotification[];
  readonly objectGroups: readonly DraftGroup[];
  readonly deviceGroups: readonly DraftGroup[];
  readonly sysObjectIds: readonly DraftSysObjectId[];
  readonly devices: readonly DraftDevice[];
  /** defaults/device.yml; left out when it has no settings. */
  readonly deviceDefaults?: DraftSettings;
  readonly networks?: readonly DraftNetwork[];
  /** The content of secret files by their name. Definitions contain `${file:NAME}` only. */
  readonly secrets: ReadonlyMap<string, string>;
}

interface Draft {
  /** The name of its file without the ending; a path below the folder of the kind. */
  readonly file: string;
  /** What a person must know or decide: a line each, in front of the definition. */
  readonly comments?: readonly string[];
}

export interface DraftObject extends Draft {
  readonly mib: string;
  readonly entry: string;
  readonly type: 'dynamic' | 'slow' | 'static';
  readonly augments?: string | undefined;
  readonly index?: readonly DraftIndexPart[] | undefined;
  readonly discoveryAttribute?: string | undefined;
  readonly collect?: 'on_request' | undefined;
  /** Of the vocabulary, with the templates of its labels. */
  readonly record?: string | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly attributes: readonly DraftAttribute[];
}

/** A row of the record `sensor`. */
export interface DraftSensor {
  readonly class: string;
  /** A template. */
  readonly name: string;
  readonly part?: string | undefined;
  readonly direction?: string | undefined;
  readonly state?:
    | {
        readonly of?: string;
        readonly ok: readonly number[];
        readonly warning?: readonly number[];
        readonly critical?: readonly number[];
      }
    | undefined;
  readonly limits?: Readonly<Record<string, string>> | undefined;
}

export interface DraftIndexPart {
  readonly type: IndexType;
  readonly oid?: string | undefined;
  /** Without a name the part is consumed and emits nothing. */
  readonly name?: string | undefined;
  readonly syntax?: string | undefined;
  /** The name of the index column in the MIB. */
  readonly column?: string | undefined;
}

export interface DraftAttribute {
  /** Its name in the MIB. */
  readonly key: string;
  readonly oid: string;
  /** The field, without the suffix of the syntax. */
  readonly name: string;
  readonly syntax: string;
  readonly metric?: 'counter' | 'gauge' | undefined;
  readonly tag?: boolean | undefined;
  /** It has no field then, and is no tag. */
  readonly isInTemplatesOnly?: boolean | undefined;
  /** The parts of the index at which another table has it, from 1. */
  readonly at?: readonly number[] | undefined;
  readonly rediscover?: 'OnReset' | 'OnChange' | undefined;
  readonly overrides?: { readonly object: string; readonly attribute: string } | undefined;
  readonly scale?: { readonly factor?: number; readonly offset?: number } | undefined;
  readonly stateAs?: 'label' | 'set' | undefined;
  /** It has no field then. */
  readonly sensor?: DraftSensor | undefined;
  readonly missing?: readonly number[] | undefined;
  readonly unit?: string | undefined;
  readonly description?: string | undefined;
  readonly comments?: readonly string[];
}

/** A trap or an inform. */
export interface DraftNotification extends Draft {
  /** `MIB::name`. */
  readonly id: string;
  readonly oid: string;
  readonly severity?: Severity | undefined;
  readonly severityFrom?:
    | { readonly field: string; readonly values: Readonly<Record<string, Severity>> }
    | undefined;
  readonly category?: Category | undefined;
  readonly description: string;
  readonly message: string;
  readonly varbinds: readonly string[];
  readonly clears: readonly string[];
  readonly clearsWhen?: { readonly field: string; readonly in: readonly string[] } | undefined;
  /** Varbinds of no object: no more of each than a notification's attribute can say. */
  readonly attributes: readonly DraftAttribute[];
  readonly aim?: { readonly poll: readonly string[] } | { readonly rediscover: true } | undefined;
}

export interface DraftEnum extends Draft {
  readonly kind: 'integer' | 'bitmap';
  /** The column that has these names. */
  readonly oid: string;
  readonly names: ReadonlyMap<number | string, string>;
}

export interface DraftGroup extends Draft {
  readonly id: string;
  /** Objects of an object group, object groups of a device group. */
  readonly members: readonly string[];
}

export interface DraftSysObjectId extends Draft {
  readonly oid: string;
  readonly deviceGroup: string;
}

/** An entry of autodiscover/networks.yml without networks, which a person adds. */
export interface DraftNetwork {
  readonly id: string;
  readonly credential: DraftSettings;
}

export interface DraftDevice extends Draft {
  readonly id: string;
  readonly settings: DraftSettings;
}

/** Plain YAML: texts, numbers, booleans, lists and maps of these. */
export type DraftValue =
  | string
  | number
  | boolean
  | readonly DraftValue[]
  | { readonly [key: string]: DraftValue | undefined };

export type DraftSettings = Readonly<Record<string, DraftValue | undefined>>;

/** The id of a drafted object. */
export function idOf({ mib, entry }: Pick<DraftObject, 'mib' | 'entry'>): string {
  return `${mib}::${entry}`;
}
