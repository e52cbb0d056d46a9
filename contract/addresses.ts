// Where the interface lives. Apart from the operations: most functions need this, and none needs all operations.

/** The versioned prefix comes first: it is the one that `Location` and `url` values use. */
export const apiPrefixes = ['/api/v1', '/api'] as const;

export const stageName = 'prod';
