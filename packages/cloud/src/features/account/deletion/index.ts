export { DeletionStore } from './deletion-store.ts'
export { Deletions } from './deletions.ts'
export { endSession, giveUpOwnership, removeExports } from './own-steps.ts'
export { OwnershipStore } from './ownership-store.ts'
