export {
  type DeletedUser,
  type DeletionStep,
  DeletionStore,
  Deletions,
  endSession,
  giveUpOwnership,
  OwnershipStore,
  removeExports,
} from './deletion/index.ts'
export { accountEndpoints } from './endpoints.ts'
export {
  type ExportSection,
  ExportStore,
  Exports,
  ownSections,
} from './exports/index.ts'
export { PrivacyStore } from './privacy-store.ts'
