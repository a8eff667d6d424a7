/** Texts of the page of reports. */
export const reportsTexts = {
  kindsLabel: 'Kinds of reports',
  phones: 'Feedback and errors',
  incidents: 'Incidents',
  kinds: { feedback: 'Feedback', error: 'Error', incident: 'Incident' },
  empty: { title: 'No reports', hint: 'Feedback and errors that phones report appear here.' },
  noIncidents: { title: 'No incidents', hint: 'Incidents that users report with their phone appear here.' },
  newest: 'The newest 50.',
  unknownSender: 'Unknown sender',
  report: (kind: string, sender: string) => `${kind} of ${sender}`,
  files: 'Files',
  download: (filename: string) => `Download ${filename}`,
  content: 'Content',
} as const
