/** The paths of each socket: its name first, then the aliases that older clients use. */
export const socketPaths = {
  glasses: ['/glasses-ws', '/ws/client'],
  app: ['/app-ws', '/tpa-ws', '/ws/miniapp'],
} as const satisfies Record<string, readonly string[]>

/** Returns the socket that a path belongs to. */
export function socketAt(path: string): keyof typeof socketPaths | undefined {
  const paths: Record<string, readonly string[]> = socketPaths
  if (paths.glasses?.includes(path)) return 'glasses'
  return paths.app?.includes(path) ? 'app' : undefined
}
