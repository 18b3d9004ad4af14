/** For the outputs and plugins that write numbers and labels: what index.ts does not publish. */

export { maxNumberBytes, writeCounter, writeFloat } from './lines/number-digits.ts';
export { InfoLabels, infoLabelsOption } from './naming/info-labels.ts';
export { escapeHelp, escapeText, labelText } from './naming/label-text.ts';
