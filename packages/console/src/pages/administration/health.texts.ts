/** Texts of the page of the health of the cloud. */
export const healthTexts = {
  nodes: {
    title: 'Nodes',
    description: 'The servers that form this cloud.',
    columns: {
      name: 'Name',
      version: 'Version',
      uptime: 'Running for',
      sessions: 'Sessions',
      state: 'State',
    },
    draining: 'Shutting down',
    serving: 'Serving',
  },
  checks: {
    title: 'Checks',
    description: 'Every configured part, as the command doctor checks it on this server.',
    columns: { part: 'Part', result: 'Result', text: 'Details' },
    levels: { ok: 'Works', note: 'Note', error: 'Error' },
    loading: 'Checking every part…',
    again: 'Check again',
  },
  measurements: {
    title: 'Over time',
    description:
      'Measured by all nodes together, once a minute, and kept for a day. Slow requests take over half a second.',
    period: 'Period',
    periods: { '60': 'Last hour', '360': 'Last 6 hours', '1440': 'Last day' },
    views: { label: 'Views', charts: 'Charts', table: 'Table' },
    columns: { at: 'Time', events: 'What happened' },
    empty: { title: 'Nothing measured yet', hint: 'The first values appear two minutes after the start.' },
    measures: {
      sessions: 'Live sessions',
      requests: 'Requests a minute',
      failedRequests: 'Failed requests a minute',
      slowRequests: 'Slow requests a minute',
      sockets: 'Open sockets',
      processors: 'Busy processors',
      eventLoop: 'Busy event loop, %',
      memory: 'Memory, in MB',
    },
    summary: (name: string, latest: string, most: string) => `${name}: ${latest} at last, at most ${most}`,
  },
  events: {
    started: (node: string) => `${node} started`,
    restarted: (node: string) => `${node} restarted`,
    deployed: (node: string, version: string) => `${node} started with the new version ${version}`,
    draining: (node: string) => `${node} hands its sessions over`,
    stopped: (node: string) => `${node} stopped`,
    lost: (node: string) => `${node} ended without stopping`,
  },
} as const
