import { spawnSync } from 'node:child_process'

/**
 * The time that all files of a release have, so that two builds of a commit are the same: that of the commit, or
 * `SOURCE_DATE_EPOCH`, as reproducible-builds.org defines it.
 * @returns epoch seconds
 * @throws {Error} without either
 */
export function commitTime(root: string): number {
  const given = process.env.SOURCE_DATE_EPOCH
  const time =
    given ?? spawnSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' }).stdout
  if (!/^\d+\s*$/.test(time ?? ''))
    throw new Error('The time of the commit is unknown: run this in a clone, or set SOURCE_DATE_EPOCH.')
  return Number(time)
}
