export { findLosses } from './check-rows-store.ts'
export { checkUpgrade, planned, type UpgradePlan, withExistingDatabase } from './check-upgrade.ts'
