/** The migration that creates the schema of version 1.0.0. */
export const BASE = '0001-base'

/** The first and the last of the migrations that databases before version 1.0.0 recorded, and their number. */
const [FIRST, LAST, COUNT] = ['0001-initial', '0044-wake-words', 43]

/** Returns those names that the base replaces. */
export const formerOf = (applied: readonly string[]): string[] =>
  applied.includes(FIRST) ? applied.filter((name) => name <= LAST && name !== BASE) : []

/** Returns the names of applied migrations, in the same order, with the base for those that it replaces if all were applied. */
export function withBase(applied: readonly string[]): readonly string[] {
  const former = formerOf(applied)
  if (former.length < COUNT || !former.includes(LAST)) return applied
  return applied.flatMap((name) => (name === FIRST ? BASE : former.includes(name) ? [] : name))
}

/** @throws Error with a message for the operator if only some of the migrations were applied that the base replaces */
export function requireBase(applied: readonly string[]): void {
  if (!applied.includes(FIRST)) return
  throw new Error(
    `The database is of a state of Glasses Cloud before version 1.0.0 and lacks migrations up to ${LAST}, which this ` +
      'version does not have. Nothing was changed. Start the last commit that has them with this database, and then this ' +
      'version; or set DATA_DIR or DATABASE_URL to a new database.',
  )
}
