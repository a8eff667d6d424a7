/**
 * Returns the option `skip` for tests of an optional part of the machine: a service, a program or a network.
 * @param problem what is missing, with how to get it in parentheses, as in
 *   `ffmpeg is not installed (apt-get install ffmpeg)`; undefined if the part is available
 * @param cause the error that showed it
 * @returns the problem as the reason, which `npm test` prints once for all files; false if the tests run
 * @throws Error if the part is missing and `REQUIRE_SERVICES=1`
 */
export function skipIfMissing(problem: string | undefined, cause?: unknown): string | false {
  if (problem === undefined) return false
  if (process.env.REQUIRE_SERVICES === '1') throw new Error(`REQUIRE_SERVICES=1: ${problem}`, { cause })
  return problem
}
