/** `node scripts/configuration-page.ts`: writes docs/configuration.md from the declarations of the settings. */
import { writeFile } from 'node:fs/promises'
import { SETTING_GROUPS } from '@glasses-cloud/cloud/config'

const INTRODUCTION = `# Configuration

The server and the command line read their settings from environment variables, and from a file \`.env\` in the working
directory. The environment takes precedence. An invalid value prevents the start and is reported with the name of the
setting and how to fix it. An empty value counts as unset, an empty list as the empty list. Lists are comma-separated.

\`.env\` has a line \`NAME=value\` for each setting; a value with \`#\` or with spaces at its ends needs quotes. It may be saved as UTF-8 or
UTF-16. For each setting, \`NAME_FILE\` may name a file with the value instead, such as \`AUTH_SECRET_FILE=/run/secrets/auth\`. What
seems to be a setting and has no effect, such as a misspelled name, is reported at the start and by \`doctor\`.

\`npm run -s cli -- doctor\` checks the configuration and every service it names. Administrators see the values in force at
\`/admin/settings\`. This page is made by \`node scripts/configuration-page.ts\` from \`packages/cloud/src/config/settings/\`.
`

/** Returns the content of docs/configuration.md. */
export function configurationPage(): string {
  const sections = SETTING_GROUPS.map(({ title, intro, settings }) => {
    const rows = Object.entries(settings).map(
      ([name, { fallback, description }]) => `| \`${name}\` | ${fallback} | ${description} |`,
    )
    return [
      `## ${title}`,
      ...(intro === undefined ? [] : [intro]),
      ['| Setting | Default | Description |', '|---|---|---|', ...rows].join('\n'),
    ].join('\n\n')
  })
  return `${[INTRODUCTION.trim(), ...sections].join('\n\n')}\n`
}

if (import.meta.main) await writeFile('docs/configuration.md', configurationPage())
