import { normalizeOid } from '../../model/oid.ts';
import { type Static, Type } from '../../typebox.ts';
import { isImplied } from '../index/index-arcs.ts';
import { type IndexPart, type IndexType, indexTypes } from '../index/index-part.ts';
import { checkSyntax, compileFields, FieldName, SyntaxName } from './field.ts';
import {
  compileKeywords,
  type DeepReadonly,
  keywordWith,
  type ReportKeywordProblem,
  schemasOf,
} from './keyword.ts';
import { OidText, OneOf, Text } from './scalars.ts';

interface IndexContext {
  /** The given one, else the one that fits the type. */
  readonly syntax: string;
}

const keyword = keywordWith<IndexContext>();

/** Every key of an index part. */
export const indexKeywords = {
  type: keyword({
    schema: OneOf(indexTypes, { description: 'How the arcs of an instance are split.' }),
    affects: 'polling',
    property: 'type',
    compile: (type) => type,
  }),
  oid: keyword({
    schema: Type.Optional(OidText({ description: 'The OID of the index column.' })),
    affects: 'polling',
    property: 'column',
    compile: (oid) => oid && (normalizeOid(oid) ?? oid),
  }),
  name: keyword({
    schema: Type.Optional(FieldName),
    affects: 'polling',
    property: 'field',
    compile: (name, { syntax }) => (name === undefined ? undefined : compileFields(name, syntax)[0]?.field),
  }),
  syntax: keyword({
    schema: Type.Optional(SyntaxName),
    affects: 'polling',
    property: 'syntax',
    compile: (_, { syntax }) => syntax,
  }),
  column: keyword({
    schema: Type.Optional(Text({ description: 'The name of the index column in the MIB, such as ifIndex.' })),
    affects: 'polling',
    property: 'mibName',
    compile: (name) => name,
  }),
};

export const IndexPartSchema = Type.Object(schemasOf(indexKeywords), {
  additionalProperties: false,
  description: 'One INDEX part, in MIB order.',
});

type RawIndex = readonly DeepReadonly<Static<typeof IndexPartSchema>>[];

export function compileIndex(raw: RawIndex, report: ReportKeywordProblem): readonly IndexPart[] {
  return raw.map((part, position) => {
    const syntax = part.syntax ?? (part.name === undefined ? 'none' : naturalSyntax[part.type]);
    checkSyntax(syntax, ['index', position, 'syntax'], report);
    if (isImplied(part.type) && position < raw.length - 1) {
      const message = `${part.type} takes all arcs that are left, but it is part ${position + 1} of ${raw.length}: rows get the label index.raw with their arcs. Move it to the end, or choose ${part.type.replace('Implicit', '')}.`;
      report('implied-part-not-last', ['index', position, 'type'], message);
    }
    const { type, field, syntax: _, column, ...later } = compileKeywords(indexKeywords, part, { syntax });
    // The hash depends on this order of keys.
    return { type, field, syntax, column, ...later };
  });
}

/** The syntax of the label of a part that has a name and no syntax. */
const naturalSyntax: Readonly<Record<IndexType, string>> = {
  Integer: 'Integer',
  Integer32: 'Integer32',
  Unsigned32: 'Unsigned32',
  IpAddress: 'IpAddressNoSuffix',
  MacAddress: 'MacAddressNoSuffix',
  OctetString: 'OctetString',
  ImplicitOctetString: 'OctetString',
  ObjectIdentifier: 'ObjectIdentifier',
  ImplicitObjectIdentifier: 'ObjectIdentifier',
  Opaque: 'OctetString',
};
