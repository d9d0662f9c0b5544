/** A K on ink, small enough to travel inside the page. */
export const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='4' fill='%231a1b1e'/%3E%3Cpath d='M4.5 3v10M4.5 9 11 3M7 7l4.5 6' stroke='%23fbfaf8' stroke-width='2' fill='none'/%3E%3C/svg%3E"
