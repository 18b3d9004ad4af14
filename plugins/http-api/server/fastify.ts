/**
 * Fastify itself. The build makes one file of it and of what only it needs, because what it asks for in turn no longer installs on every
 * version of Node.js that this package supports.
 */
export { default } from 'fastify';
