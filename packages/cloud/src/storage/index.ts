export { storageExport } from './account.ts'
export { storageEndpoints } from './endpoints.ts'
export { SimpleStorage } from './simple-storage.ts'
export { StorageStore } from './storage-store.ts'
