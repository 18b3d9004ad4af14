import { deepEqual, equal, ok } from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findSyntax, suggestSyntax, syntaxes } from '../../../src/definitions/syntax/syntax-table.ts';
import { decodeOne } from './decode-one.ts';
import { syntaxCases } from './syntax-cases.ts';

describe('the table of syntaxes', () => {
  it('has 188 different names', () => {
    equal(new Set(syntaxes.map((syntax) => syntax.name)).size, 188);
    equal(syntaxes.length, 188);
  });

  it('has a test case for every name', () => {
    deepEqual(
      [...new Set(syntaxCases.map(([name]) => name))].sort(),
      syntaxes.map((syntax) => syntax.name).sort(),
    );
  });

  for (const [name, raw, value] of syntaxCases) {
    it(`${name} makes ${raw} ${value}`, () => {
      const decoded = decodeOne(name, raw);
      deepEqual(decoded.value, value);
      equal(decoded.gap, 0);
      equal(decoded.kind ?? 'none', findSyntax(name)?.kind);
    });
  }

  it('documents examples that decode as documented', () => {
    for (const { name, example } of syntaxes) {
      const value = decodeOne(name, example[0]).value ?? '';
      equal(Array.isArray(value) ? JSON.stringify(value) : String(value), example[1], name);
    }
  });

  it('has valid companions and scales', () => {
    for (const { name, companion, scale, reading } of syntaxes) {
      ok(scale.times === 1 || scale.over === 1, name);
      ok(reading !== 'counter' || scale.over === 1, name);
      ok(companion === undefined || findSyntax(companion.syntax) !== undefined, name);
    }
  });

  it('suggests the nearest syntax for a typing error, and nothing for an unrelated word', () => {
    equal(suggestSyntax('BandwithMBits'), 'BandwidthMBits');
    equal(suggestSyntax('displaystring'), 'DisplayString');
    equal(suggestSyntax('TempratureDeciC'), 'TemperatureDeciC');
    equal(suggestSyntax('Counter46'), 'Counter64');
    equal(suggestSyntax('qqqqqqqqqqqq'), undefined);
  });
});
