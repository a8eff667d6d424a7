/** Texts of the pages of a list. */
export const pagerTexts = {
  pages: 'Pages',
  previous: 'Previous',
  next: 'Next',
  page: (number: number) => `Page ${number}`,
} as const
