/** What a password of a person's own may be. */
export const passwordLength = { minCharacters: 12, maxBytes: 1024 } as const;
