/**
 * Numbers in texts by their size, letters regardless of their case. Of texts that differ in leading zeros only, those with fewer
 * come first. Allocates nothing: 100,000 names are compared per request.
 */
export function compareNatural(a: string, b: string): number {
  let atA = 0;
  let atB = 0;
  let zeros = 0;
  while (atA < a.length && atB < b.length) {
    const codeA = a.charCodeAt(atA);
    const codeB = b.charCodeAt(atB);
    if (isDigit(codeA) && isDigit(codeB)) {
      const startA = endOfZeros(a, atA);
      const startB = endOfZeros(b, atB);
      zeros ||= startA - atA - (startB - atB);
      atA = endOfDigits(a, startA);
      atB = endOfDigits(b, startB);
      const order = atA - startA - (atB - startB) || compareDigits(a, startA, b, startB, atA - startA);
      if (order !== 0) return order;
    } else {
      const order = lowerCase(codeA) - lowerCase(codeB);
      if (order !== 0) return order;
      atA++;
      atB++;
    }
  }
  return a.length - atA - (b.length - atB) || zeros;
}

function compareDigits(a: string, atA: number, b: string, atB: number, count: number): number {
  for (let at = 0; at < count; at++) {
    const order = a.charCodeAt(atA + at) - b.charCodeAt(atB + at);
    if (order !== 0) return order;
  }
  return 0;
}

function endOfZeros(text: string, from: number): number {
  let end = from;
  while (text.charCodeAt(end) === zero) end++;
  return end;
}

function endOfDigits(text: string, from: number): number {
  let end = from;
  while (isDigit(text.charCodeAt(end))) end++;
  return end;
}

const zero = 48;

function isDigit(code: number): boolean {
  return code >= zero && code <= 57;
}

function lowerCase(code: number): number {
  return code >= 65 && code <= 90 ? code + 32 : code;
}
