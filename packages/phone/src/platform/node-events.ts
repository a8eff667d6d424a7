/** The event emitter of Node; `package.json` replaces this module by `browser-events.ts` outside of Node. */
export { EventEmitter } from 'node:events'
