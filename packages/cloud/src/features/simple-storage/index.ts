export { storageEndpoints } from './endpoints.ts'
export { storageExport } from './personal-data.ts'
export { SimpleStorage } from './simple-storage.ts'
export { StorageStore } from './storage-store.ts'
