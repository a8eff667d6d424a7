export { createWebConsole } from './feature.ts'
