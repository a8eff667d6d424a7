import { formatList, formatNumber, plural } from '../../format.ts'

/** Texts of the store. */
export const storeTexts = {
  title: 'Apps',
  description: 'Install apps and start them on your glasses.',
  list: 'Apps',
  search: 'Search apps',
  skip: 'Skip to the apps',
  filters: (active: number) => (active === 0 ? 'Filters' : `Filters (${formatNumber(active)})`),
  show: 'Show',
  needs: 'Needs',
  uses: 'Uses',
  shown: {
    all: 'All apps',
    installed: 'Installed',
    running: 'Running',
    compatible: 'Works with my glasses',
  },
  anyHardware: 'Any hardware',
  anyPermission: 'Any permission',
  found: (found: number, all: number) =>
    found === all
      ? plural(all, { one: '1 app', other: `${formatNumber(all)} apps` })
      : `${formatNumber(found)} of ${plural(all, { one: '1 app', other: `${formatNumber(all)} apps` })}`,
  none: {
    title: 'No apps yet',
    text: 'Developers publish apps for this cloud. Make the first one yourself.',
    action: 'Make an app',
  },
  noMatch: {
    title: 'No app matches',
    text: 'Change the search or the filters.',
    action: 'Show all apps',
  },
  glasses: {
    phoneOnly: 'Your phone is connected, but no glasses.',
    notConnected: 'No glasses are connected.',
    unknownModel: (model: string) => `${model} are connected, a model that this cloud does not know.`,
    connected: (model: string) => `${model} are connected.`,
    parts: (parts: readonly string[]) => `They have ${formatList(parts)}.`,
  },
} as const
