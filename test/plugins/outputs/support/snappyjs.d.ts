declare module 'snappyjs' {
  export function uncompress(block: Uint8Array): Uint8Array;
}
