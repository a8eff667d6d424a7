/** `npm run new -- feature NAME`: creates the files of a feature and prints the next steps. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const USAGE = 'Usage: npm run new -- feature NAME (kebab-case, such as app-messages)'

/** The files of a new feature, by path. */
function featureFiles(name: string, pascalName: string): Record<string, string> {
  const camelName = pascalName.replace(/^./, (letter) => letter.toLowerCase())
  return {
    [`packages/cloud/src/features/${name}/index.ts`]: `import type { Database } from '../../db/index.ts'
import type { Feature } from '../../feature.ts'
import { ${camelName}Endpoints } from './endpoints.ts'

export interface ${pascalName}Deps {
  readonly db: Database
}

/** @TODO Describe what the feature does. */
export function create${pascalName}({ db }: ${pascalName}Deps): Feature {
  return { name: '${name}', endpoints: ${camelName}Endpoints({ db }) }
}
`,
    [`packages/cloud/src/features/${name}/endpoints.ts`]: `import { Type } from 'typebox'
import type { Database } from '../../db/index.ts'
import { coreToken } from '../../http/auth/index.ts'
import { type Endpoint, endpoint } from '../../http/endpoint.ts'

interface ${pascalName}EndpointDeps {
  readonly db: Database
}

/** Endpoints under \`/api/${name}\`. */
export const ${camelName}Endpoints = (_deps: ${pascalName}EndpointDeps): Endpoint[] => [
  endpoint({
    method: 'GET',
    url: '/api/${name}',
    summary: '@TODO What it does, as an order',
    tags: ['${name}'],
    style: 'coded',
    auth: coreToken,
    // Schemas that clients share are in packages/contract/src.
    schema: { response: { 200: Type.Object({ email: Type.String() }) } },
    errors: [],
    handler: async ({ caller: { user } }) => ({ email: user.email }),
  }),
]
`,
    [`docs/rules/${name}.md`]: `# ${name.replaceAll('-', ' ').replace(/^./, (letter) => letter.toUpperCase())}

@TODO Describe the feature in one sentence. Code: \`packages/cloud/src/features/${name}/\`.
`,
  }
}

const [kind, name = '', ...rest] = process.argv.slice(2)
if (kind !== 'feature' || !/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name) || rest.length > 0) {
  console.error(USAGE)
  process.exit(2)
}
const pascalName = name.replaceAll(/(?:^|-)(.)/g, (_, letter: string) => letter.toUpperCase())
const files = featureFiles(name, pascalName)
const existing = Object.keys(files).find((path) => existsSync(join(process.cwd(), path)))
if (existing !== undefined) {
  console.error(`${existing} already exists.`)
  process.exit(1)
}
for (const [path, text] of Object.entries(files)) {
  const file = join(process.cwd(), path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  console.log(path)
}
console.log(`
Next steps (see "Add a feature" in CONTRIBUTING.md):
- add create${pascalName}({ db }) to the features in packages/cloud/src/features.ts
- write its rules in docs/rules/${name}.md, and link the page in docs/rules/README.md
- write its tests in packages/cloud/test/`)
