console.log('ton-dao-indexer');
