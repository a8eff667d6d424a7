export { DeletionStore } from './deletion-store.ts'
export { Deletions } from './deletions.ts'
export { deleteExports, endSession } from './steps.ts'
