export { createPermissions } from './feature.ts'
