import { importsOf } from './imports.ts'
import { isTestFile, type Problem, type Project, problemAt } from './project.ts'

const CLOUD_SOURCE = 'packages/cloud/src/'

/** Folders of the cloud that every feature builds on. */
const KERNEL_FOLDERS = [
  'time',
  'http',
  'sockets',
  'session',
  'session-host',
  'db',
  'blobs',
  'jobs',
  'webhooks',
  'identity',
  'config',
  'bus',
]

/** Checks that the kernel imports no feature. Tests of the kernel may. */
export function checkKernel({ sources }: Project): Problem[] {
  return sources.flatMap((source) => {
    const { path, text } = source
    const folder = KERNEL_FOLDERS.find((name) => path.startsWith(`${CLOUD_SOURCE}${name}/`))
    if (folder === undefined || isTestFile(path)) return []
    return importsOf(source)
      .filter(({ file }) => file?.startsWith(`${CLOUD_SOURCE}features/`))
      .map(({ file, offset }) =>
        problemAt(
          path,
          text,
          offset,
          `${folder}/ is part of the kernel and imports no feature, not ${file}.`,
        ),
      )
  })
}
