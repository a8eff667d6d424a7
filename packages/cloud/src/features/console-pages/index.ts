import type { Feature } from '../../feature.ts'
import { basePathOf } from '../../http/request-origin.ts'
import { ConsoleFiles } from './console-files.ts'
import { getConsoleFiles } from './get-file.ts'
import { getConsolePage, getEvenPage, getReachPage, sendPage } from './get-page.ts'

/** The page of the console, which is built when the project is installed. */
const BUILT_PAGE = new URL(import.meta.resolve('@glasses-cloud/console/dist/index.html'))

/**
 * Serves the web console (packages/console).
 * @param publicUrl base URL of the cloud
 * @param page the built page; its files are below the same folder
 */
export function createConsolePages(publicUrl: () => URL, page = BUILT_PAGE): Feature {
  const files = new ConsoleFiles(page, () => basePathOf(publicUrl()))
  return {
    name: 'console-pages',
    endpoints: [
      getConsolePage({ files }),
      getEvenPage({ files }),
      getReachPage({ files }),
      ...getConsoleFiles({ files }),
    ],
    sendNotFoundPage: (reply) => sendPage(reply.code(404), files),
  }
}
