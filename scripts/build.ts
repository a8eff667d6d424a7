/**
 * `npm run build`: builds what the cloud serves but cannot run as source, the web console. `npm start` and `npm test`
 * run it when its sources have changed.
 */
import { buildConsole } from './build/console.ts'

try {
  await buildConsole(process.cwd(), (line) => process.stderr.write(`${line}\n`))
} catch (error) {
  process.stderr.write(`The console could not be built: ${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}
