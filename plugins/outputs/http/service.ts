/** For outputs that post another format. */
export { createPoster, type Poster } from './poster.ts';
export { posterOptions } from './poster-options.ts';
