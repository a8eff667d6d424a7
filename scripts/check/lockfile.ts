import type { Problem, Project } from './project.ts'

interface LockedPackage {
  readonly resolved?: string
  readonly optionalDependencies?: Record<string, string>
}

/**
 * Finds entries of package-lock.json that make `npm ci` fail on other machines. npm drops the optional packages of
 * other platforms when it rewrites the lockfile next to an existing node_modules or when the registry lacks them;
 * npm 11 then rejects the lockfile, and those platforms miss the package's binary.
 */
export function checkLockfile(project: Project): Problem[] {
  const { packages } = JSON.parse(project.read('package-lock.json')) as {
    packages: Record<string, LockedPackage>
  }
  return Object.entries(packages).flatMap(([path, { resolved, optionalDependencies = {} }]) => [
    ...Object.keys(optionalDependencies)
      .filter((name) => !(`${path}/node_modules/${name}` in packages) && !isLocked(packages, path, name))
      .map(
        (name) =>
          `package-lock.json  ${path} depends on ${name}, which has no entry: npm ci will reject the lockfile.`,
      ),
    ...(resolved !== undefined && /^https?:/.test(resolved)
      ? [
          `package-lock.json  ${path} is bound to one registry (resolved): set omit-lockfile-registry-resolved.`,
        ]
      : []),
  ])
}

/** Whether a dependency of `path` is locked in one of the node_modules folders above it, in Node's lookup order. */
function isLocked(packages: Record<string, LockedPackage>, path: string, name: string): boolean {
  const parent = path.lastIndexOf('node_modules/')
  if (parent < 0) return `node_modules/${name}` in packages
  const folder = path.slice(0, parent)
  return `${folder}node_modules/${name}` in packages || isLocked(packages, folder.replace(/\/$/, ''), name)
}
