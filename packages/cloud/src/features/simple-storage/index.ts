export { createSimpleStorage } from './feature.ts'
export { StorageStore } from './storage-store.ts'
