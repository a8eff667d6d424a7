export { ExportStore, type StoredExport } from './export-store.ts'
export { Exports } from './exports.ts'
