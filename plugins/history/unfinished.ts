/** The end of the name of a file that is not complete. The next start removes what a process left of these. */
export const unfinished = '.new';
