/** Why something is missing, in words for the operator. */
export class Missing extends Error {}
