import type { AuthOutcome, AuthScheme } from './scheme.ts'

/**
 * Whichever of two schemes lets the caller in. If neither does, the one that was offered a credential says why;
 * if both or none were, the first.
 */
export function eitherOf<A, B>(first: AuthScheme<A>, second: AuthScheme<B>): AuthScheme<A | B> {
  return {
    name: `${first.name} or ${second.name}`,
    security: [...first.security, ...second.security],
    errors: [...new Set([...first.errors, ...second.errors])],
    async authenticate(request, deps): Promise<AuthOutcome<A | B>> {
      const one = await first.authenticate(request, deps)
      if (one.ok) return one
      const other = await second.authenticate(request, deps)
      return other.ok || (one.absent && !other.absent) ? other : one
    },
  }
}
