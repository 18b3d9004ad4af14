/**
 * What a device may send where a person expects a name, by what it attacks. An output brings each one to its reader intact,
 * escaped, or as its README says (cut, a character replaced), and never as syntax.
 */
export const hostileStrings: Readonly<Record<string, string>> = {
  'every control character': `${Array.from({ length: 32 }, (_, code) => String.fromCharCode(code)).join('')}\x7f`,
  'a NUL in the middle': 'core\0switch',
  'line ends of every kind': 'a\nb\rc\r\nd\u0085e\u2028f\u2029g',
  'quotes and backslashes': `"'\`\\"\\\\'\\n\\u0000\\`,
  'a backslash at the end': 'C:\\switch\\',
  'a script': '</script><script>alert(1)</script><!--',
  'text exposition': '"} 1\nevil_total{a="b',
  'line protocol': 'a,host=evil x=1i 1\nevil,b=c\\ d="e\\" f=2 ',
  'a bulk action': '"}}\n{"delete":{"_index":"x","_id":"1"}}\n',
  'a JSON document': '"},"admin":true,"__proto__":{"polluted":true},"x":{"y":"',
  'SQL and shell': `'; DROP TABLE devices; -- $(reboot) \${env:TOKEN} %00 {{7*7}}`,
  'topics and paths': '../../etc/+/#/$SYS/>.*\u0000//',
  'a header': 'x\r\nX-Admin: true\r\n\r\n',
  'names of the language': '__proto__',
  'invalid UTF-8, as it is decoded': 'caf\uFFFD\uFFFD',
  'half a character': 'a\uD800b\uDC00',
  'text in both directions': 'admin\u202Etxt.exe\u202C\u200B\uFEFF',
  'characters of four bytes': '\u{1F4A9}\u{10FFFF}',
  'spaces alone': ' \t \u00A0 ',
  nothing: '',
  '64 KiB': 'n"\n'.padEnd(65_536, 'é'),
};
