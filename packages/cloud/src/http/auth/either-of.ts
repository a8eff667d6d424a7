import type { AuthOutcome, AuthScheme } from './scheme.ts'

/**
 * Accepts a caller that either of two schemes accepts. If both reject, the error is that of the scheme whose credential
 * was present; if both or none were, that of the first.
 */
export function eitherOf<A, B>(first: AuthScheme<A>, second: AuthScheme<B>): AuthScheme<A | B> {
  return {
    name: `${first.name} or ${second.name}`,
    security: [...first.security, ...second.security],
    errors: [...new Set([...first.errors, ...second.errors])],
    async authenticate(request, deps): Promise<AuthOutcome<A | B>> {
      const firstOutcome = await first.authenticate(request, deps)
      if (firstOutcome.ok) return firstOutcome
      const secondOutcome = await second.authenticate(request, deps)
      return secondOutcome.ok || (firstOutcome.absent && !secondOutcome.absent) ? secondOutcome : firstOutcome
    },
  }
}
