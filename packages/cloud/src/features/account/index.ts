export {
  DeletionStore,
  Deletions,
  endSession,
  giveUpOwnership,
  OwnershipStore,
  removeExports,
} from './deletion/index.ts'
export { accountEndpoints } from './endpoints.ts'
export {
  ExportStore,
  Exports,
  ownSections,
} from './exports/index.ts'
export { PrivacyStore } from './privacy-store.ts'
