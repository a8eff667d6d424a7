/** The environment variables that child processes of tests inherit: the path, and the compile cache of the test run. */
export function inheritedEnv(): Record<string, string | undefined> {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  return { PATH, ...(NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }) }
}
