import { writeFile } from 'node:fs/promises'
import { formatPage, runMatrix } from './matrix.ts'
import { publishedVersions } from './sdk-versions.ts'

// Writes docs/compatibility.md for all versions that the registry holds; exits with 1 if something does not work.

const cleanUp: (() => unknown)[] = []
const lines = await runMatrix({ after: (step) => void cleanUp.push(step) }, await publishedVersions())
for (const step of cleanUp.reverse()) await step()
const page = formatPage(lines)
await writeFile(new URL('../../../../docs/compatibility.md', import.meta.url), page)
console.log(page)
process.exit(page.includes('**no**') ? 1 : 0)
