/** What stands on the command line, by option letter; nothing is checked yet. */
export interface RequestOptions {
  readonly v?: string;
  readonly c?: string;
  readonly u?: string;
  readonly l?: string;
  readonly a?: string;
  readonly A?: string;
  readonly x?: string;
  readonly X?: string;
  readonly n?: string;
  readonly t?: string;
  readonly r?: string;
  readonly C?: readonly string[];
  readonly engine?: string;
  readonly json?: boolean;
}
