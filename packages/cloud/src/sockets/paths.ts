/** Where the sockets are; the first path of each is its name, the others are older clients' names for it. */
export const socketPaths = {
  glasses: ['/glasses-ws', '/ws/client'],
  app: ['/app-ws', '/ws/miniapp'],
} as const satisfies Record<string, readonly string[]>

/** Which socket a path belongs to. */
export function socketAt(path: string): keyof typeof socketPaths | undefined {
  const paths: Record<string, readonly string[]> = socketPaths
  if (paths.glasses?.includes(path)) return 'glasses'
  return paths.app?.includes(path) ? 'app' : undefined
}
