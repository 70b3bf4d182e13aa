call fill_places_of_receipts();
