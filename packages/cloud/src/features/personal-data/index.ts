export { DeletionStore, Deletions } from './deletion/index.ts'
export { ExportStore, Exports } from './exports/index.ts'
export { createPersonalData } from './feature.ts'
