import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Complaint } from './project.ts'

interface LockedPackage {
  readonly resolved?: string
  readonly optionalDependencies?: Record<string, string>
}

/**
 * Looks for what makes `npm ci` fail elsewhere. npm drops optional packages of other platforms from the lockfile when
 * it is rewritten beside an existing node_modules, or when the registry of the day does not have them; npm 11 then
 * refuses the lockfile, and on those platforms the package's binary is missing.
 */
export function checkLockfile(root: string): Complaint[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockedPackage>
  }
  return Object.entries(packages).flatMap(([path, { resolved, optionalDependencies = {} }]) => [
    ...Object.keys(optionalDependencies)
      .filter(
        (name) => packages[`${path}/node_modules/${name}`] === undefined && !isLocked(packages, path, name),
      )
      .map(
        (name) =>
          `package-lock.json  ${path} wants ${name}, which has no entry: npm ci will refuse the lockfile.`,
      ),
    ...(resolved !== undefined && /^https?:/.test(resolved)
      ? [
          `package-lock.json  ${path} is bound to one registry (resolved): set omit-lockfile-registry-resolved.`,
        ]
      : []),
  ])
}

/** Whether a package that `path` asks for is found in one of the node_modules above it, as Node would look. */
function isLocked(packages: Record<string, LockedPackage>, path: string, name: string): boolean {
  const above = path.lastIndexOf('node_modules/')
  if (above < 0) return packages[`node_modules/${name}`] !== undefined
  const folder = path.slice(0, above)
  return (
    packages[`${folder}node_modules/${name}`] !== undefined ||
    isLocked(packages, folder.replace(/\/$/, ''), name)
  )
}
