/** The variables that programs need: where to find others and libraries, language, time zone and temporary files. */
const PASSED = ['PATH', 'LD_LIBRARY_PATH', 'LANG', 'LC_ALL', 'LC_CTYPE', 'TZ', 'TMPDIR'] as const

/**
 * Returns the environment of programs that the cloud starts. It contains no setting of the cloud, and so none of its
 * secrets.
 */
export function childEnvironment(): Record<string, string> {
  const passed = PASSED.flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(passed)
}
