import { globSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT } from './artifacts.ts'
import { checked } from './bare-root.ts'

/** Copies the sources to a new folder on the same file system; installed packages are linked, and must not be changed. */
export function copyProject(to: string): void {
  checked('mkdir', ['-p', to])
  checked('sh', [
    '-c',
    `git ls-files -z --cached --others --exclude-standard | tar -c --null -T - | tar -x -C ${to}`,
  ])
  checked('sh', ['-c', `cp -al node_modules ${to}/ && rm -rf ${to}/node_modules/.cache`])
  for (const path of globSync('{packages,apps}/*/node_modules', { cwd: PROJECT }))
    checked('cp', ['-al', join(PROJECT, path), join(to, path)])
}

/** The time that a build of a copy has, which contains no history. */
export function commitTimeOfProject(): string {
  return checked('git', ['log', '-1', '--format=%ct']).trim()
}
