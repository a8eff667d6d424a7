/**
 * Returns whether a query failed with a unique violation, on either database.
 * @param error the error that a query threw
 */
export function isUniqueViolation(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, errcode } = error as { code?: unknown; errcode?: unknown }
  return code === POSTGRES_UNIQUE_VIOLATION || (code === 'ERR_SQLITE_ERROR' && SQLITE_UNIQUE.has(errcode))
}

const POSTGRES_UNIQUE_VIOLATION = '23505'

/** SQLITE_CONSTRAINT_UNIQUE and SQLITE_CONSTRAINT_PRIMARYKEY. */
const SQLITE_UNIQUE = new Set<unknown>([2067, 1555])
