/**
 * Returns a path of the developer API with the aliases that older programs use (reference-behaviour.md §B.2): `/api/cli`
 * for all of it, `/api/dev` for apps and `/api/orgs` for organizations.
 * @param path below `/api/console`, starting with `/apps` or `/orgs`
 * @param older further names of the path, below the same prefixes
 */
export function developerPath(path: string, ...older: readonly string[]): readonly string[] {
  return [path, ...older].flatMap((one) => [
    `/api/console${one}`,
    `/api/cli${one}`,
    one.startsWith('/orgs') ? `/api${one}` : `/api/dev${one}`,
  ])
}
