export { createWebview } from './feature.ts'
