/** The event emitter of Node from the package `events`: bundlers for other platforms resolve this name to it. */
export { EventEmitter } from 'events'
